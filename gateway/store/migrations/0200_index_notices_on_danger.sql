-- Notices on dangers to life are taken before all others, whatever waits.
create index notices_life_safety on notices (notice_id) where values ? 'lifeSafety';
