-- Sign-ins with an outside user pool before this moment (epoch ms) no longer count; the built-in pool deletes its sessions.
alter table users add column signed_out_at bigint not null default 0;
