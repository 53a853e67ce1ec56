-- How many mails a company has sent in each hour since 1970: in all (recipient '') and to each address, of which a digest is kept.
create table mail_counts (
  tenant uuid not null references companies on delete cascade,
  recipient text not null,
  hour bigint not null,
  mails integer not null,
  primary key (tenant, recipient, hour)
);
