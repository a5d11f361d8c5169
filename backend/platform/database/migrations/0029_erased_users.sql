-- compatible-with-level: 28
-- Who was erased, so that a restored backup can erase them again. The digest of a random ID says nothing about a person.
create table erased_users (
  digest bytea primary key,
  erased_at timestamptz not null default now()
);

-- Only an erasure deletes a user. A year is longer than anyone keeps a backup.
create function remember_erased_user() returns trigger language plpgsql as $$
begin
  delete from erased_users where erased_at < now() - interval '1 year';
  insert into erased_users (digest) values (sha256(convert_to(old.id::text, 'UTF8'))) on conflict do nothing;
  return null;
end $$;

create trigger users_remember_erasure after delete on users for each row execute function remember_erased_user();
