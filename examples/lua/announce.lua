#!/usr/bin/env lua
-- Keeps a game server on a Muster list. Needs Lua 5.1 or newer, and the rocks http and lua-cjson
-- (on Debian: lua5.2, lua-http and lua-cjson).
--
-- Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 lua announce.lua
-- Optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6
local cjson = require "cjson"
local cqueues = require "cqueues"
local http_request = require "http.request"
local signal = require "cqueues.signal"

local url = os.getenv("MUSTER_URL"):gsub("/+$", ""):gsub("/announce$", "") .. "/announce" -- also without a pasted path

local sources = { ["4"] = "0.0.0.0", ["6"] = "[::]" } -- a socket with this source connects over this family

--- Calls the list. Raises an error if there is no complete reply.
local function call(family, method, timeout, body)
  local request = http_request.new_from_uri(url)
  request.follow_redirects = false
  request.bind = sources[family]
  request.headers:upsert(":method", method)
  request.headers:upsert("authorization", "Bearer " .. os.getenv("MUSTER_CREDENTIAL"))
  request.headers:upsert("content-type", "application/json")
  request:set_body(cjson.encode(body))
  local headers, stream = assert(request:go(timeout))
  -- No stream:shutdown(), which loops forever after a cut reply. The garbage collector closes the connection.
  return headers, assert(stream:get_body_as_string(timeout))
end

--- An empty setting counts as missing.
local function optional(name)
  local value = os.getenv(name)
  return value ~= "" and value or nil
end

--- Announces once. Returns what the list says, and the seconds until the next announce.
local function announce(family)
  local headers, text = call(family, "POST", 5, {
    port = tonumber(os.getenv("PORT")),
    maxPlayersCount = tonumber(os.getenv("MAX_PLAYERS")),
    playersCount = 0, passworded = false, version = "1.0", branch = "release", -- set these from your game
    host = optional("MUSTER_HOST"), probe = optional("MUSTER_PROBE"),
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
io.stdout:setvbuf("line")
local loops = {} -- one for each family, or one that the system chooses
for family in (optional "MUSTER_FAMILIES" or "any"):gmatch "%w+" do
  table.insert(loops, { family = family, due = 0, backoff = 2 })
end
repeat
  table.sort(loops, function(a, b) return a.due < b.due end)
  local loop = loops[1]
  local ok, message, seconds = pcall(announce, loop.family)
  if ok then
    loop.backoff, seconds = 2, math.min(math.max(1, seconds), 3600)
  else -- a broken connection or an unusable reply: the list may be restarting
    loop.backoff = math.min(30, loop.backoff * 2)
    message, seconds = "No usable reply: " .. tostring(message), loop.backoff * (0.5 + math.random() / 2)
  end
  if message ~= loop.printed then print((sources[loop.family] and "IPv" .. loop.family .. ": " or "") .. message) end
  loop.printed, loop.due = message, cqueues.monotime() + seconds
  local next_due = math.huge
  for _, each in ipairs(loops) do next_due = math.min(next_due, each.due) end
until stop:wait(math.max(0, next_due - cqueues.monotime()))
for _, loop in ipairs(loops) do
  if pcall(call, loop.family, "DELETE", 3, { port = tonumber(os.getenv("PORT")) }) then break end
end
