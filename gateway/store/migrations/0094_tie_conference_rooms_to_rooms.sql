-- A meeting room may be a room of its home; one that is deleted is none any more.
alter table conference_rooms add foreign key (tenant, home_id, room_id) references rooms (tenant, home_id, room_id)
  on delete set null (room_id);

-- Rules that run around the bookings of meeting rooms, by their room.
create index automations_of_bookings on automations (tenant, (rule -> 'Booking' ->> 'ConferenceRoomID'))
  where rule ? 'Booking';
