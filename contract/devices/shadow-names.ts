/** The two named shadows of a hub (§7): its devices, and its connection state. */
export const SHADOW_NAMES = ['registration', 'info'] as const
export type ShadowName = (typeof SHADOW_NAMES)[number]
