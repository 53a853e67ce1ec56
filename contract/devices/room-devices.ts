/** Devices of a room that an action sets: its lights, or those that heat, cool and ventilate it. */
export const ROOM_DEVICES = ['lights', 'climate'] as const
export type RoomDevices = (typeof ROOM_DEVICES)[number]
