-- compatible-with: 1.4
-- Each of a webhook's previous secrets signs for its own day, also after further rotations.
alter table webhooks
  -- Those before `previous_secret`, as {"secret", "until"}.
  add column older_secrets jsonb not null default '[]';
