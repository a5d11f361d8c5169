-- compatible-with-level: 17
-- Reports reach the owner only from several reporters of standing, or once an administrator acts.

alter table protection_issues
  -- Until then, only administrators see the issue.
  add column is_visible_to_owner boolean not null default true;
