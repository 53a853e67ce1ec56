-- A meeting room may be a room of its home; it is none any more when that room is deleted, or the home with its rooms: its home is
-- taken away first then.
alter table conference_rooms
  add foreign key (tenant, home_id, room_id) references rooms (tenant, home_id, room_id) on delete set null (room_id);

create function leave_room_with_home() returns trigger language plpgsql as $$
begin
  new.room_id := null;
  return new;
end $$;
create trigger conference_rooms_without_home before update on conference_rooms for each row
  when (new.home_id is null and new.room_id is not null) execute function leave_room_with_home();

-- Rules that run around the bookings of meeting rooms, by their room.
create index automations_of_bookings on automations (tenant, (rule -> 'Booking' ->> 'ConferenceRoomID'))
  where rule ? 'Booking';
