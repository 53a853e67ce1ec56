-- Alarms of rules wait until they are over, and until nothing has been known for long enough.
alter table automation_waits drop constraint automation_waits_kind_check;
alter table automation_waits add constraint automation_waits_kind_check check (kind in (
  'hold', 'end', 'off', 'repeat', 'booking', 'period', 'silent', 'unknown', 'resume', 'clear', 'noData'));
