-- Where each gateway keeps pictures and firmware: those of a database must share it. Null of a gateway that does not say so yet. And
-- when it ended by itself: its row stays until its hubs had time to come to another one, but nobody waits for it.
alter table gateways
  add column files_mark text,
  add column ended_at timestamptz;
