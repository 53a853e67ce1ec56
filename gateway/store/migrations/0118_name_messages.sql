-- The same at each attempt to send a message, so that the other side can tell that it has it already.
alter table messages add column id uuid not null default gen_random_uuid();

-- What messages that are being sent will cost a channel: counted in `sent` already, and given back when the other side refuses.
create table channel_reservations (
  tenant uuid not null,
  notification_channel_id text not null,
  message_id uuid not null,
  cost integer not null,
  -- Of which it is counted, `2026-11`.
  month text not null,
  primary key (tenant, notification_channel_id, message_id),
  foreign key (tenant, notification_channel_id) references notification_channels (tenant, notification_channel_id) on delete cascade
);
