-- compatible-with-level: 17
-- Sign-in by OpenID Connect: accounts at other providers. Discord is `users.discord_id`. An account without Discord has the ID
-- `oidc:` and the first 22 characters of base64url(SHA-256(issuer, line break, subject)) there, of one of its identities.
create table identities (
  issuer text not null,
  subject text not null check (char_length(subject) between 1 and 255),
  user_id uuid not null references users(id),
  -- The person's name at the provider.
  name text not null check (char_length(name) between 1 and 32),
  -- Roles that groups of this provider gave. They end with the membership in the group.
  roles text[] not null default '{}',
  created_at timestamptz not null default now(),
  last_signed_in_at timestamptz not null default now(),
  primary key (issuer, subject),
  -- An account has one identity of a provider.
  unique (user_id, issuer)
);

-- Links that sign a locked-out user in, once. `muster users recover` makes them.
create table recovery_links (
  -- A new link replaces the former.
  user_id uuid primary key references users(id),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
