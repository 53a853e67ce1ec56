-- Address of a person as their company entered it, if the account of another company has it; then email is a placeholder with which
-- no one signs in. See docs/decisions/0058.
alter table users add column foreign_address text check (foreign_address = lower(foreign_address));
create unique index users_foreign_address on users (tenant, foreign_address);
