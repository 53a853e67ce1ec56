-- Where each gateway keeps pictures and firmware: those of a database must share it. Null of a gateway that does not say so yet.
alter table gateways add column files_mark text;
