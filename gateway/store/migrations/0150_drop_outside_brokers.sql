-- Gateways are their own brokers: nobody else keeps the secrets of hubs, or hands messages out among gateways.
drop table hub_enrolments;
drop table scanner_enrolments;
drop table broker_seats;
