import { GatewayError } from '../../errors.ts'

/** Stands for a call that is not built. */
export const notThere = async (): Promise<never> => {
  throw new GatewayError('UNAVAILABLE', 'Not built')
}
