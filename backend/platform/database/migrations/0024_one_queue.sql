-- compatible-with-level: 24
-- Deliveries are their own queue, and one watcher follows live servers. Nodes of older programs need the jobs of graphile_worker, so they stop first.

-- Until when a node sends for this webhook. In the past: when one last did.
alter table webhooks add column claimed_until timestamptz;
drop index webhook_deliveries_pending;
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, next_attempt_at, seq) where state = 'pending';

-- The operator's webhook has no owner and no secret. Its URL is in the environment.
alter table webhooks
  alter column owner_id drop not null,
  drop constraint webhooks_secret,
  add constraint webhooks_secret check (owner_id is null or (kind = 'standard') = (secret is not null));
insert into webhooks (id, name, kind, url, events, server_ids, offline_after_seconds)
values ('00000000-0000-0000-0000-000000000000', 'operator', 'standard', '', '{operator}', '{}', 0);

-- Waiting deliveries of users are rows already. Those of the operator were only jobs.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then return; end if;
  insert into webhook_deliveries (id, webhook_id, event_id, event_type, body, next_attempt_at)
  select gen_random_uuid(), '00000000-0000-0000-0000-000000000000', job.payload ->> 'id', 'operator', job.payload ->> 'body', now()
  from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
  where task.identifier = 'notify-operator' and job.attempts < job.max_attempts
  order by job.run_at, job.id
  on conflict do nothing;
  -- Another program, or an installation in another schema, may use the library on the same database.
  if not exists (select from graphile_worker._private_tasks where identifier not in ('deliver-webhook', 'notify-operator'))
    and (select count(*) from pg_class where relname = 'webhook_deliveries' and relkind = 'r') = 1 then
    drop schema graphile_worker cascade;
  end if;
end $$;

-- What a webhook or an inbox was last notified of about a live server, so that each change is published once.
create table server_watch_states (
  -- Null for the inbox of the owner.
  webhook_id uuid references webhooks on delete cascade,
  server_id text not null references all_servers on delete cascade,
  -- The owner at that time. Nobody else is notified of a difference from this state.
  user_id uuid,
  is_offline boolean not null,
  is_listed boolean not null,
  is_above boolean not null,
  -- A digest of credential and bound address; null while unbound.
  binding text,
  unique nulls not distinct (webhook_id, server_id)
);
create index server_watch_states_server_id on server_watch_states (server_id);
create index server_watch_states_user_id on server_watch_states (user_id);
insert into server_watch_states
select null, server_id, user_id, is_offline, is_listed, false, binding from notification_server_states
union all
select s.webhook_id, s.server_id, w.owner_id, s.is_offline, s.is_listed, s.is_above, s.binding
from webhook_server_states s join webhooks w on w.id = s.webhook_id;
drop table notification_server_states;
drop table webhook_server_states;
