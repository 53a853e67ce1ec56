-- Names of the gateways' sessions at an outside broker, by number. Whoever holds a number holds the advisory lock of it; a number
-- that nobody holds may have a session with messages that were never stored, until one of the others has emptied it.
create table broker_seats (
  seat integer primary key check (seat > 0)
);
