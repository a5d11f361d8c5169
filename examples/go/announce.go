// Keeps a game server on a Muster list. Needs Go 1.18 or newer, and no modules.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 go run announce.go
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// call returns what the list says, and the seconds until the next announce: 0 without a usable reply.
func call(method, body string, timeout time.Duration) (message string, seconds float64) {
	list := strings.TrimSuffix(strings.TrimRight(os.Getenv("MUSTER_URL"), "/"), "/announce") // a pasted path
	request, err := http.NewRequest(method, list+"/announce", strings.NewReader(body))
	if err != nil {
		return err.Error(), 0
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(os.Getenv("MUSTER_CREDENTIAL")))
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // another host must not get the credential
	}}
	response, err := client.Do(request)
	if err != nil {
		return err.Error(), 0
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body) // a cut reply is not valid JSON
	if response.StatusCode != http.StatusOK {
		seconds, err := strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
		if err != nil {
			seconds = 30 // never give up: the owner can remove the cause in the panel
		}
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
	backoff, printed := 2.0, ""
	for stop.Err() == nil {
		// Set the other fields from your game.
		message, seconds := call(http.MethodPost, fmt.Sprintf(`{"port":%s,"maxPlayersCount":%s,"playersCount":%d,`+
			`"passworded":false,"version":"1.0","branch":"release"}`, os.Getenv("PORT"), os.Getenv("MAX_PLAYERS"), 0), 5*time.Second)
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
		wait := time.Duration(math.Min(math.Max(1, seconds), 3600) * float64(time.Second))
		select {
		case <-stop.Done():
		case <-time.After(wait):
		}
	}
	call(http.MethodDelete, fmt.Sprintf(`{"port":%s}`, os.Getenv("PORT")), 3*time.Second)
}
