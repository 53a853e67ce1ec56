-- The pair that signs push messages (VAPID), for all gateways of the database: browsers subscribe to its public half.
create table push_keys (
  only_one boolean primary key default true check (only_one),
  public_key text not null,
  private_sealed text not null,
  created_at bigint not null
);

-- Browsers that people are pushed to. Whoever holds an endpoint and its keys can write to the browser, so both are sealed.
create table push_subscriptions (
  subscription_id uuid primary key,
  tenant uuid not null,
  cognito_id uuid not null references users (cognito_id) on delete cascade,
  -- Signed out there, nobody is pushed to there. Null where another user pool keeps the sessions, and of one that ends by itself.
  session_id uuid references sessions (session_id) on delete cascade,
  -- A browser has one endpoint, and one person at a time.
  endpoint_hash text not null unique,
  info_sealed text not null,
  user_agent text not null,
  created_at bigint not null,
  -- When the browser last said that it is there: a push service may take messages for one that is gone.
  registered_at bigint not null,
  last_sent_at bigint,
  -- When its push service last refused the gateway as such; null again once the browser registers.
  failed_at bigint
);
create index push_subscriptions_person on push_subscriptions (tenant, cognito_id);
create index push_subscriptions_session on push_subscriptions (session_id) where session_id is not null;
create index push_subscriptions_age on push_subscriptions (registered_at);

-- When each broadcast went out, to count those of a day.
create table push_broadcasts (
  broadcast_id uuid primary key,
  tenant uuid not null references companies on delete cascade,
  sent_at bigint not null
);
create index push_broadcasts_company on push_broadcasts (tenant, sent_at);
create index push_broadcasts_age on push_broadcasts (sent_at);
