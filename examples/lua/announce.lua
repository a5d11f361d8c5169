#!/usr/bin/env lua
-- Keeps a game server on a Muster list. Needs Lua 5.1 or newer, and the rocks http and lua-cjson
-- (on Debian: lua5.2, lua-http and lua-cjson).
--
-- Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 lua announce.lua
local cjson = require "cjson"
local http_request = require "http.request"
local signal = require "cqueues.signal"

local url = os.getenv("MUSTER_URL"):gsub("/+$", ""):gsub("/announce$", "") .. "/announce" -- also without a pasted path

--- Calls the list. Raises an error if there is no complete reply.
local function call(method, timeout, body)
  local request = http_request.new_from_uri(url)
  request.follow_redirects = false
  request.headers:upsert(":method", method)
  request.headers:upsert("authorization", "Bearer " .. os.getenv("MUSTER_CREDENTIAL"))
  request.headers:upsert("content-type", "application/json")
  if body then request:set_body(body) end
  local headers, stream = assert(request:go(timeout))
  -- No stream:shutdown(), which loops forever after a cut reply. The garbage collector closes the connection.
  return headers, assert(stream:get_body_as_string(timeout))
end

--- Announces once. Returns what the list says, and the seconds until the next announce.
local function announce()
  local headers, text = call("POST", 5, cjson.encode {
    port = tonumber(os.getenv("PORT")),
    maxPlayersCount = tonumber(os.getenv("MAX_PLAYERS")),
    playersCount = 0, passworded = false, version = "1.0", branch = "release", -- set these from your game
  })
  local status, retry_after = headers:get(":status"), headers:get("retry-after")
  if status ~= "200" then -- never give up: the owner can remove the cause in the panel
    return ("Rejected with %s: %s"):format(status, text), tonumber(retry_after) or 30
  end
  local reply = cjson.decode(text)
  local lines = { "Announced." }
  for _, notice in ipairs(reply.notices or {}) do table.insert(lines, notice.message) end
  local seconds = assert(tonumber(reply.nextAnnounceSeconds), "it has no nextAnnounceSeconds")
  return table.concat(lines, "\n"), seconds > 3600 and 30 or seconds -- more than an hour is a mistake
end

signal.block(signal.SIGTERM, signal.SIGINT)
local stop = signal.listen(signal.SIGTERM, signal.SIGINT)
math.randomseed(os.time())
local backoff, printed = 2, nil
io.stdout:setvbuf("line")
repeat
  local ok, message, seconds = pcall(announce)
  if ok then
    backoff, seconds = 2, math.min(math.max(1, seconds), 3600)
  else -- a broken connection or an unusable reply: the list may be restarting
    backoff = math.min(30, backoff * 2)
    message, seconds = "No usable reply: " .. tostring(message), backoff * (0.5 + math.random() / 2)
  end
  if message ~= printed then print(message) end
  printed = message
until stop:wait(seconds)
pcall(call, "DELETE", 3, cjson.encode { port = tonumber(os.getenv("PORT")) })
