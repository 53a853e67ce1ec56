import { useQuery } from '@tanstack/react-query'
import { webConfig } from './config.ts'

/** Whether this is the demo; false until known. */
export function useIsDemo(): boolean {
  const { data } = useQuery({ queryKey: ['config'], queryFn: webConfig, select: ({ Demo }) => Demo === true })
  return data ?? false
}
