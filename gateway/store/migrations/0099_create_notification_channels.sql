-- A company's own ways out for what it is told: chats and webhooks.
create table notification_channels (
  tenant uuid not null references companies (tenant) on delete cascade,
  notification_channel_id text not null,
  channel_name text not null,
  kind text not null check (kind in ('line', 'teams', 'webhook')),
  enabled boolean not null,
  language text not null,
  categories jsonb not null,
  least text not null,
  home_ids jsonb not null,
  monthly_budget integer,
  version integer not null default 1,
  -- Address, token and target as JSON, sealed.
  secret text not null,
  hint text not null,
  -- Messages paid for in a month, `2026-11`.
  month text not null default '',
  sent integer not null default 0,
  last_sent_at bigint,
  last_error text,
  tested_at bigint,
  primary key (tenant, notification_channel_id)
);
create unique index notification_channels_name on notification_channels (tenant, lower(channel_name));
