/** No meter passes more than this, whoever says so, in kW: 2 GW. */
export const MAX_LIMIT_KW = 2_000_000
