-- Of the failures of an account, how many the network with the most of them has.
alter table auth_failures add column most integer not null default 0;
