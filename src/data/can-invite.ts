import { useQuery } from '@tanstack/react-query'
import { webConfig } from './config.ts'

/** Whether users are invited by a link; false if accounts are managed elsewhere, undefined until known. */
export function useCanInvite(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: webConfig,
    select: ({ Invites }) => Invites === true,
  })
  return data
}
