import { queryOptions, useQuery } from '@tanstack/react-query'
import { company, type CompanyProfile } from '../../contract/people/company-calls.ts'
import {
  DEFAULT_PERSONAL_CONFIG,
  personal,
  type PersonalConfig,
  type SavedView,
} from '../../contract/people/personal-calls.ts'
import { setWithExpiry, getUnexpired } from '../lib/storage-with-expiry.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { call, callKey, queryClient, type RequestOf, type ResultsOf } from './api.ts'
import type { Send } from './use-action.ts'

/** Storage keys of answers that are kept for an hour (§9). */
export const PERSONAL_KEY = 'personalConfig'
export const COMPANY_KEY = 'companyProfile'

export const personalKey = callKey(personal.getPersonalConfig, {})
export const companyKey = callKey(company.getCompanyProfile, {})

/** Query of a call whose answer is stored for an hour (§9); the stored answer is shown while the gateway is asked. */
const cachedQuery = <E extends AnyEndpoint>(key: string, endpoint: E) =>
  queryOptions({
    queryKey: callKey(endpoint, {}),
    queryFn: async ({ signal }): Promise<ResultsOf<E>> => {
      const answer = await call(endpoint, {} as RequestOf<E>, { signal })
      setWithExpiry(key, answer)
      return answer
    },
    // An answer stored by an earlier version may lack a field.
    placeholderData: () => endpoint.results.safeParse(getUnexpired(key)).data as never,
  })

export const personalQuery = cachedQuery(PERSONAL_KEY, personal.getPersonalConfig)
export const companyQuery = cachedQuery(COMPANY_KEY, company.getCompanyProfile)

/** The user's settings; the defaults of §3 until known. */
export const usePersonalConfig = (): PersonalConfig => useQuery(personalQuery).data ?? DEFAULT_PERSONAL_CONFIG

/** Number of decimals of readings other than power, as the user set it (§3, default 2). */
export const useDecimalPrecision = (): number => usePersonalConfig().DecimalPrecision

/** The company's name, title and logo; undefined until known. */
export const useCompany = (): CompanyProfile | undefined => useQuery(companyQuery).data

/** Stores settings that a call returned or another screen of the user changed. */
export function putPersonalConfig(config: PersonalConfig): PersonalConfig {
  setWithExpiry(PERSONAL_KEY, config)
  queryClient.setQueryData(personalKey, config)
  return config
}

/** Saves some of the user's settings, as the work of an action; the screen changes after the gateway has stored them. */
export const savePersonalConfig = async (
  change: RequestOf<typeof personal.updatePersonalConfig>,
  send: Send,
): Promise<PersonalConfig> => putPersonalConfig(await send(personal.updatePersonalConfig, change))

/**
 * Changes the saved views of the device list, based on the gateway's current ones, because another browser may have changed them.
 *
 * errors  as `call`
 */
export async function changeSavedViews(change: (views: readonly SavedView[]) => SavedView[]): Promise<void> {
  const { SavedViews } = await queryClient.fetchQuery({ ...personalQuery, staleTime: 0 })
  putPersonalConfig(await call(personal.updatePersonalConfig, { SavedViews: change(SavedViews) }))
}

/** Stores a company profile that a call returned or a message contained. */
export function putCompany(profile: CompanyProfile): CompanyProfile {
  setWithExpiry(COMPANY_KEY, profile)
  queryClient.setQueryData(companyKey, profile)
  return profile
}
