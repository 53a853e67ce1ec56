/** Suffix of the second register of a device, which counts the other direction and is a meter with its own ID. */
export const RETURN_SUFFIX = '.return'
export const returnIdOf = (PeripheralUID: string): string => `${PeripheralUID}${RETURN_SUFFIX}`
/** Device of a meter, and whether the meter is its second register; a PeripheralUID contains no dot. */
export const deviceOfMeter = (MeterID: string): { PeripheralUID: string; isReturn: boolean } =>
  MeterID.endsWith(RETURN_SUFFIX)
    ? { PeripheralUID: MeterID.slice(0, -RETURN_SUFFIX.length), isReturn: true }
    : { PeripheralUID: MeterID, isReturn: false }
