// Keeps a game server on a Muster list. Needs Rust 1.65 or newer, and the crates in Cargo.toml.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 cargo run --release
// Optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6
use std::net::ToSocketAddrs;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use std::{env, error::Error};

use serde_json::{json, Value};

fn setting(name: &str) -> Option<String> {
    env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// Over a family of addresses: '4', '6', or '*' for what the system chooses.
fn request(family: char, method: &str, timeout_seconds: u64) -> ureq::Request {
    let resolve = move |list: &str| {
        Ok(list.to_socket_addrs()?.filter(|ip| family == '*' || ip.is_ipv4() == (family == '4')).collect())
    };
    // Without redirects: another host must not get the credential.
    let agent = ureq::AgentBuilder::new().redirects(0).resolver(resolve);
    let list = setting("MUSTER_URL").expect("MUSTER_URL is set");
    let url = format!("{}/announce", list.trim_end_matches('/').trim_end_matches("/announce"));
    let credential = format!("Bearer {}", setting("MUSTER_CREDENTIAL").expect("MUSTER_CREDENTIAL is set"));
    let request = agent.timeout(Duration::from_secs(timeout_seconds)).build().request(method, &url);
    request.set("Authorization", &credential).set("Content-Type", "application/json")
}

fn number(name: &str) -> Option<u16> {
    setting(name)?.parse().ok()
}

/// Returns what the list says, and the seconds until the next announce.
fn announce(family: char) -> Result<(String, f64), Box<dyn Error>> {
    // Set the other fields from your game.
    let state = json!({
        "port": number("PORT"), "maxPlayersCount": number("MAX_PLAYERS"), "playersCount": 0,
        "passworded": false, "version": "1.0", "branch": "release",
        "host": setting("MUSTER_HOST"), "probe": setting("MUSTER_PROBE"), // null counts as missing
    });
    let response = match request(family, "POST", 5).send_string(&state.to_string()) {
        Err(ureq::Error::Status(_, rejection)) => rejection,
        result => result?,
    };
    let status = response.status();
    let retry_after: Option<u32> = response.header("Retry-After").and_then(|value| value.parse().ok());
    let text = response.into_string()?;
    if status != 200 {
        // Never give up: the owner can remove the cause in the panel.
        return Ok((format!("Rejected with {status}: {text}"), retry_after.unwrap_or(30).into()));
    }
    let reply: Value = serde_json::from_str(&text)?;
    let seconds = reply["nextAnnounceSeconds"].as_f64().ok_or("it has no nextAnnounceSeconds")?;
    let mut message = String::from("Announced.");
    for notice in reply["notices"].as_array().into_iter().flatten() {
        message = message + "\n" + notice["message"].as_str().unwrap_or_default();
    }
    Ok((message, if seconds > 3600.0 { 30.0 } else { seconds })) // more than an hour is a mistake
}

fn main() {
    let (stop, stopped) = channel();
    ctrlc::set_handler(move || stop.send(()).unwrap_or_default()).expect("no other handler"); // and SIGTERM
    let families = setting("MUSTER_FAMILIES").unwrap_or("*".into()).replace([',', ' '], "");
    let mut loops: Vec<_> =
        families.chars().map(|family| (Instant::now(), family, 2.0_f64, String::new())).collect();
    while stopped.recv_timeout(loops[0].0.saturating_duration_since(Instant::now())).is_err() {
        let (due, family, backoff, printed) = &mut loops[0];
        let result = announce(*family);
        *backoff = if result.is_ok() { 2.0 } else { (*backoff * 2.0).min(30.0) };
        // After a broken connection or an unusable reply: the list may be restarting.
        let retry = |error| (format!("No usable reply: {error}"), *backoff * (0.5 + fastrand::f64() / 2.0));
        let (message, seconds) = result.unwrap_or_else(retry);
        if message != *printed {
            println!("{message}");
            *printed = message;
        }
        *due = Instant::now() + Duration::from_secs_f64(seconds.clamp(1.0, 3600.0));
        loops.sort_by_key(|(due, ..)| *due);
    }
    let goodbye = json!({ "port": number("PORT") }).to_string();
    // If no call succeeds, the server stops anyway.
    loops.iter().find(|(_, family, ..)| request(*family, "DELETE", 3).send_string(&goodbye).is_ok());
}
