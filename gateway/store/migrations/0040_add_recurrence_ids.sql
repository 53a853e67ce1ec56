-- When a booking of a series was to begin by the series' rule, whatever became of it (RFC 5545 RECURRENCE-ID): to people's
-- calendars a series is one event. Series that were booked before stay an event for each booking there, as they were sent: null.
alter table reservations add column recurrence_id bigint;
