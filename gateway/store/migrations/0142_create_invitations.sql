-- Links with which people who were added choose their first password; of each only the digest is kept. A row stands until
-- the person accepts, is given a password, or is deleted: whoever has one is shown as invited, though the link may be over.
create table invitations (
  tenant uuid not null references companies on delete cascade,
  cognito_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique,
  invited_by uuid references users on delete set null,
  language text not null,
  -- Whether the link went to the address by mail, so that who has it has shown that mail reaches them.
  mailed boolean not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index invitations_tenant on invitations (tenant);
create index invitations_invited_by on invitations (invited_by);
