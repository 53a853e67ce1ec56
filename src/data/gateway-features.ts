import { useQuery } from '@tanstack/react-query'
import { webConfig } from './config.ts'

/** Whether this is the demo; false until known. */
export function useIsDemo(): boolean {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: webConfig,
    select: ({ Demo }) => Demo !== undefined,
  })
  return data ?? false
}

/** Time in ms by which a demo's clock is ahead of true time; 0 for any other installation, and until known. */
export function useDemoClockAhead(): number {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: webConfig,
    select: ({ Demo }) => Demo?.ClockAheadMs ?? 0,
  })
  return data ?? 0
}

/** Whether users are invited by a link; false if accounts are managed elsewhere, undefined until known. */
export function useCanInvite(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: webConfig,
    select: ({ Invites }) => Invites === true,
  })
  return data
}

/** Whether the gateway can send email; false until known. */
export function useMailEnabled(): boolean {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: webConfig,
    select: ({ MailGoesOut }) => MailGoesOut === true,
  })
  return data ?? false
}
