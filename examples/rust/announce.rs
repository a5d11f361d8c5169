// Keeps a game server on a Muster list. Needs Rust 1.65 or newer, and the crates in Cargo.toml.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 cargo run --release
use std::sync::mpsc::channel;
use std::{env, error::Error, time::Duration};

use serde_json::{json, Value};

fn setting(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set")).trim().to_owned()
}

fn request(method: &str, timeout_seconds: u64) -> ureq::Request {
    // Without redirects: another host must not get the credential.
    let agent = ureq::AgentBuilder::new().redirects(0).timeout(Duration::from_secs(timeout_seconds)).build();
    let list = setting("MUSTER_URL");
    let url = format!("{}/announce", list.trim_end_matches('/').trim_end_matches("/announce"));
    let credential = format!("Bearer {}", setting("MUSTER_CREDENTIAL"));
    agent.request(method, &url).set("Authorization", &credential).set("Content-Type", "application/json")
}

/// Returns what the list says, and the seconds until the next announce.
fn announce() -> Result<(String, f64), Box<dyn Error>> {
    // Set the other fields from your game.
    let state = json!({
        "port": setting("PORT").parse::<u16>()?, "maxPlayersCount": setting("MAX_PLAYERS").parse::<u16>()?,
        "playersCount": 0, "passworded": false, "version": "1.0", "branch": "release",
    });
    let response = match request("POST", 5).send_string(&state.to_string()) {
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
    let (mut backoff, mut printed) = (2.0_f64, String::new());
    loop {
        let (message, seconds) = match announce() {
            Ok(result) => {
                backoff = 2.0;
                result
            }
            Err(error) => {
                // A broken connection or an unusable reply: the list may be restarting.
                backoff = (backoff * 2.0).min(30.0);
                let seconds = backoff * (0.5 + fastrand::f64() / 2.0);
                (format!("No usable reply: {error}"), seconds)
            }
        };
        if message != printed {
            println!("{message}");
            printed = message;
        }
        if stopped.recv_timeout(Duration::from_secs_f64(seconds.clamp(1.0, 3600.0))).is_ok() {
            break;
        }
    }
    let goodbye = json!({ "port": setting("PORT").parse::<u16>().ok() }).to_string();
    request("DELETE", 3).send_string(&goodbye).ok(); // the server stops anyway
}
