#!/usr/bin/env python3
"""Keeps a game server on a Muster list. Needs Python 3.8 or newer, and no packages.

In your game: import announce; announce.start()
Whenever it changes: announce.STATE["playersCount"] = 12
Alone: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 python3 announce.py
Optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6
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
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

URL = urlsplit(re.sub(r"/*(/announce)?/*$", "", os.environ["MUSTER_URL"].strip()) + "/announce")
STATE = {"port": int(os.environ["PORT"]), "maxPlayersCount": int(os.environ["MAX_PLAYERS"]),
         "playersCount": 0, "passworded": False, "version": "1.0", "branch": "release"}  # set these from your game
ENDPOINT = {"host": os.environ.get("MUSTER_HOST"), "probe": os.environ.get("MUSTER_PROBE")}
STATE.update({name: value for name, value in ENDPOINT.items() if value})
FAMILIES = os.environ.get("MUSTER_FAMILIES", "").split(",")
SOURCES = {"4": ("0.0.0.0", 0), "6": ("::", 0)}  # a socket with this source connects over this family
STOPPING = threading.Event()


def call(family, method, body, timeout):
    """Follows no redirects, so that another host does not get the credential."""
    connect = HTTPSConnection if URL.scheme == "https" else HTTPConnection
    credential = os.environ["MUSTER_CREDENTIAL"].strip()
    headers = {"Authorization": "Bearer " + credential, "Content-Type": "application/json"}
    with contextlib.closing(connect(URL.netloc, timeout=timeout, source_address=SOURCES.get(family))) as connection:
        connection.request(method, URL.path, json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.headers["Retry-After"], response.read().decode()


def announce(family):
    """Announces once. Returns what the list says, and the seconds until the next announce."""
    status, retry_after, text = call(family, "POST", STATE, 5)
    if status != 200:  # never give up: the owner can remove the cause in the panel
        return f"Rejected with {status}: {text}", int(retry_after or 30)
    reply = json.loads(text)
    notices = [notice["message"] for notice in reply.get("notices") or []]
    seconds = reply["nextAnnounceSeconds"]
    return "\n".join(["Announced.", *notices]), seconds if seconds <= 3600 else 30  # more than an hour is a mistake


def keep_listed(family):
    printed, backoff = "", 2
    while not STOPPING.is_set():
        try:
            message, seconds = announce(family)
            seconds, backoff = min(max(1, seconds), 3600), 2
        except Exception as error:  # a broken connection or an unusable reply: the list may be restarting
            backoff = min(30, backoff * 2)
            message, seconds = f"No usable reply: {error}", backoff * random.uniform(0.5, 1)
        if message != printed:
            print(f"IPv{family}: {message}" if family else message, flush=True)
            printed = message
        STOPPING.wait(seconds)


def start():
    """Announces in a thread until the program ends. Call it in the main thread, once players can join."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM acts like Ctrl+C
    threads = [threading.Thread(target=keep_listed, args=[family], daemon=True) for family in FAMILIES]
    atexit.register(stop, threads)
    for thread in threads:
        thread.start()


def stop(threads):
    """Takes the server off the list, after the announces in flight."""
    STOPPING.set()
    for thread in threads:
        thread.join(5)
    for family in FAMILIES:
        with contextlib.suppress(Exception):  # the server stops anyway
            return call(family, "DELETE", {"port": STATE["port"]}, 3)


if __name__ == "__main__":
    start()
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600)
