import { useQuery } from '@tanstack/react-query'
import { bills } from '../../../../../contract/tariffs/bill-calls.ts'
import { callQuery } from '../../../../data/api.ts'

/** As often as the page itself asks, ms. */
const EVERY_MS = 60_000

/** The demand of a home now, with why it is not known. */
export const useDemandQuery = (HomeID: string) =>
  useQuery({ ...callQuery(bills.getDemand, { HomeID }), refetchInterval: EVERY_MS })
