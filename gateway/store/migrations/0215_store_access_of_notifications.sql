-- Right that a notification is read by, e.g. 'device.Read' or 'signed-in'; null in rows of gateways before this release.
alter table notifications add column access text;
