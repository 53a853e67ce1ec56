import { useQuery } from '@tanstack/react-query'
import { webConfig } from './config.ts'

/** Whether the gateway can send email; false until known. */
export function useMailEnabled(): boolean {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: webConfig,
    select: ({ MailGoesOut }) => MailGoesOut === true,
  })
  return data ?? false
}
