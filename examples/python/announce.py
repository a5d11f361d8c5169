#!/usr/bin/env python3
"""Keeps a game server on a Muster list. Needs Python 3.8 or newer, and no packages.

In your game: import announce; announce.start()
Whenever it changes: announce.STATE["playersCount"] = 12
Alone: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 python3 announce.py
"""
import atexit
import contextlib
import json
import os
import random
import re
import signal
import threading
import time
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

URL = re.sub(r"/*(/announce)?/*$", "", os.environ["MUSTER_URL"]) + "/announce"
STATE = {"port": int(os.environ["PORT"]), "maxPlayersCount": int(os.environ["MAX_PLAYERS"]),
         "playersCount": 0, "passworded": False, "version": "1.0", "branch": "release"}  # set these from your game
STOPPING = threading.Event()


class NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # another host must not get the credential


OPENER = build_opener(NoRedirects)


def call(method, body=None, timeout=5):
    credential = os.environ["MUSTER_CREDENTIAL"].strip()
    headers = {"Authorization": "Bearer " + credential, "Content-Type": "application/json"}
    try:
        response = OPENER.open(Request(URL, body, headers, method=method), timeout=timeout)
    except HTTPError as rejection:
        response = rejection
    with response:
        return response.status, response.headers["Retry-After"], response.read().decode()


def announce():
    """Announces once. Returns what the list says, and the seconds until the next announce."""
    status, retry_after, text = call("POST", json.dumps(STATE).encode())
    if status != 200:  # never give up: the owner can remove the cause in the panel
        return f"Rejected with {status}: {text}", int(retry_after or 30)
    reply = json.loads(text)
    notices = [notice["message"] for notice in reply.get("notices") or []]
    seconds = reply["nextAnnounceSeconds"]
    return "\n".join(["Announced.", *notices]), seconds if seconds <= 3600 else 30  # more than an hour is a mistake


def keep_listed():
    printed, backoff = "", 2
    while not STOPPING.is_set():
        try:
            message, seconds = announce()
            seconds, backoff = min(max(1, seconds), 3600), 2
        except Exception as error:  # a broken connection or an unusable reply: the list may be restarting
            backoff = min(30, backoff * 2)
            message, seconds = f"No usable reply: {error}", backoff * random.uniform(0.5, 1)
        if message != printed:
            print(message, flush=True)
            printed = message
        STOPPING.wait(seconds)


def start():
    """Announces in a thread until the program ends. Call it in the main thread, once players can join."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM acts like Ctrl+C
    thread = threading.Thread(target=keep_listed, daemon=True)
    atexit.register(stop, thread)
    thread.start()


def stop(thread):
    """Takes the server off the list, after the announce in flight."""
    STOPPING.set()
    thread.join(5)
    with contextlib.suppress(Exception):  # the server stops anyway
        call("DELETE", json.dumps({"port": STATE["port"]}).encode(), timeout=3)


if __name__ == "__main__":
    start()
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600)
