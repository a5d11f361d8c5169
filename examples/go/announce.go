// Keeps a game server on a Muster list. Needs Go 1.18 or newer, and no modules.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 go run announce.go
// Optional: MUSTER_HOST, MUSTER_PROBE
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// call returns what the list says, and the seconds until the next announce: 0 without a usable reply.
func call(method string, timeout time.Duration, body any) (message string, seconds float64) {
	list, _ := url.Parse(strings.TrimSuffix(strings.TrimRight(os.Getenv("MUSTER_URL"), "/"), "/announce") + "/announce") // a pasted path
	text, _ := json.Marshal(body)
	request := http.Request{Method: method, URL: list, Body: io.NopCloser(strings.NewReader(string(text))), ContentLength: int64(len(text))}
	request.Header = http.Header{"Content-Type": {"application/json"},
		"Authorization": {"Bearer " + strings.TrimSpace(os.Getenv("MUSTER_CREDENTIAL"))}}
	client := http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // another host must not get the credential
	}}
	response, err := client.Do(&request)
	if err != nil {
		return err.Error(), 0
	}
	defer response.Body.Close()
	text, _ = io.ReadAll(response.Body) // a cut reply is not valid JSON
	if response.StatusCode != http.StatusOK {
		seconds = 30 // never give up: the owner can remove the cause in the panel
		fmt.Sscan(response.Header.Get("Retry-After"), &seconds)
		return fmt.Sprintf("Rejected: %s %s", response.Status, text), seconds
	}
	var reply struct {
		NextAnnounceSeconds float64
		Notices             []struct{ Message string }
	}
	if err := json.Unmarshal(text, &reply); err != nil {
		return err.Error(), 0
	}
	if reply.NextAnnounceSeconds > 3600 {
		reply.NextAnnounceSeconds = 30 // more than an hour is a mistake
	}
	return fmt.Sprint("Announced. Notices: ", reply.Notices), reply.NextAnnounceSeconds
}

func main() {
	stop, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Set the other fields from your game.
	state := map[string]any{"port": json.Number(os.Getenv("PORT")), "maxPlayersCount": json.Number(os.Getenv("MAX_PLAYERS")),
		"playersCount": 0, "passworded": false, "version": "1.0", "branch": "release"}
	for field, name := range map[string]string{"host": "MUSTER_HOST", "probe": "MUSTER_PROBE"} {
		if value := os.Getenv(name); value != "" {
			state[field] = value
		}
	}
	backoff, printed := 2.0, ""
	for stop.Err() == nil {
		message, seconds := call(http.MethodPost, 5*time.Second, state)
		if seconds > 0 {
			backoff = 2
		} else { // the list may be restarting
			backoff = math.Min(30, backoff*2)
			seconds = backoff * (0.5 + rand.Float64()/2)
		}
		if message != printed {
			fmt.Println(message)
			printed = message
		}
		wait, cancel := context.WithTimeout(stop, time.Duration(math.Min(math.Max(1, seconds), 3600)*float64(time.Second)))
		<-wait.Done()
		cancel()
	}
	call(http.MethodDelete, 3*time.Second, map[string]any{"port": state["port"]})
}
