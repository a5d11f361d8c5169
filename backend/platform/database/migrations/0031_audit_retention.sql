-- compatible-with-level: 17
-- Retention of the audit log (AUDIT_DAYS). A transaction that names its days may delete older rows, but never those of the last 30 days.
create or replace function reject_activity_change() returns trigger language plpgsql as $$
declare
  days integer;
begin
  if tg_op = 'UPDATE' and current_setting('muster.erasing', true) = 'on' then
    return new;
  end if;
  if tg_op = 'DELETE' then
    days := nullif(current_setting('muster.audit_days', true), '')::integer;
    if days >= 30 and old.at < now() - make_interval(days => days) then
      return old;
    end if;
  end if;
  raise exception 'The audit log is append-only.';
end
$$;

-- Rows are stored in the order of their times, so an index of ranges finds the old ones, and costs inserts nothing.
create index activity_at on activity using brin (at);
