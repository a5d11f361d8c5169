-- compatible-with-level: 17
-- Each previous secret of a webhook signs for its own day, also after further rotations. Receivers can ask for a pause.
alter table webhooks
  -- Those before `previous_secret`, as {"secret", "until"}.
  add column older_secrets jsonb not null default '[]',
  -- Until when the receiver asked to wait.
  add column paused_until timestamptz;
