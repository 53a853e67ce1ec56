-- Whether a person has shown that mail to their address reaches them.
alter table users add column email_verified boolean not null default false;

-- Links with which a company may sign up where sign-up is closed; of each only the digest is kept.
create table company_invitations (
  secret_hash bytea primary key,
  email text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
