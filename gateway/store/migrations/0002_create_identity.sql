-- Passwords of the built-in user pool. A person without a row here cannot sign in with a password.
create table credentials (
  tenant uuid not null,
  cognito_id uuid primary key references users (cognito_id) on delete cascade,
  password_hash text not null,
  must_change boolean not null default false,
  password_changed_at bigint not null
);

-- One row per sign-in; session_id is the origin_jti of every token that comes from it.
create table sessions (
  session_id uuid primary key,
  tenant uuid not null,
  cognito_id uuid not null references users (cognito_id) on delete cascade,
  user_agent text not null,
  address text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);
create index sessions_cognito_id on sessions (cognito_id, created_at);
create index sessions_expires_at on sessions (expires_at);

-- Every refresh token of a session, spent ones too: a spent token that comes back was stolen.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (session_id) on delete cascade,
  used_at bigint,
  -- The next token, sealed under a key that only the holder of this one can derive.
  successor bytea
);
create index refresh_tokens_session_id on refresh_tokens (session_id);

-- Key pairs: purpose 'signing' (tokens) and 'sign-up' (password on its way in). The private half is sealed with the master key.
create table signing_keys (
  kid text primary key,
  purpose text not null,
  public_jwk jsonb not null,
  private_sealed bytea not null,
  created_at bigint not null,
  active_from bigint not null,
  active_until bigint not null,
  expires_at bigint not null
);
create index signing_keys_purpose on signing_keys (purpose, active_from);

-- One active code per person and purpose; only a keyed digest is kept.
create table confirmation_codes (
  tenant uuid not null,
  cognito_id uuid not null references users (cognito_id) on delete cascade,
  purpose text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at bigint not null,
  primary key (cognito_id, purpose)
);

-- Failed attempts by scope ('sign-in:account', 'sign-in:address', …); the key is a keyed digest, so no address of a stranger is kept.
-- Unlogged: losing it in a crash forgives some attempts and spares a disk write for each guess.
create unlogged table auth_failures (
  scope text not null,
  key bytea not null,
  failures integer not null,
  last_at bigint not null,
  blocked_until bigint not null,
  primary key (scope, key)
);
create index auth_failures_last_at on auth_failures (last_at);

-- Mail that could not be sent because no mail server is configured.
create table outbox (
  message_id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at bigint not null
);
