-- compatible-with: 1.4
-- Reports of servers by signed-in users.

create table server_reports (
  -- A UUIDv7, so that rows sort by time.
  id uuid primary key,
  server_id text not null references all_servers on delete cascade,
  -- The reporter. Their row is locked before a report is inserted, so the foreign key takes no further lock.
  user_id uuid not null references users,
  reason text not null check (reason in ('fake_players', 'impersonation', 'malicious', 'offensive', 'other')),
  details text not null default '',
  created_at timestamptz not null,
  -- Null if an abuser reported a server that nobody else has reported.
  issue_id uuid references protection_issues on delete set null,
  -- False if its author had an open issue because of their reports.
  is_counted boolean not null,
  -- An administrator's decision. Null while the issue is open, and if it resolved without one.
  outcome text check (outcome in ('upheld', 'dismissed')),
  decided_at timestamptz
);
create index server_reports_user on server_reports (user_id, created_at desc);
create index server_reports_server on server_reports (server_id);
create index server_reports_issue on server_reports (issue_id, id desc) where issue_id is not null;
create index server_reports_decided_at on server_reports (decided_at) where outcome is not null;
