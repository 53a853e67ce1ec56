import type { FC, ReactNode } from 'react'

const Icon: FC<{ children: ReactNode }> = ({ children }) => (
  <svg
    width="22"
    height="22"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    {children}
  </svg>
)

const dropIcon = <path d="M12 3c3.5 4.2 6 7 6 10.5a6 6 0 0 1-12 0C6 10 8.5 7.2 12 3Z" />
const fan = (
  <>
    <circle cx="12" cy="12" r="1.6" />
    <path d="M12 10.400C10 8 10.5 4 13.5 4s3 4-1.5 6.400Zm1.5 2.200c3.1-.6 6.4 1.7 5 4.300s-5 .4-5-4.300Zm-3 0c-1.1 2.9-4.7 4.7-6.2 2.100s1.6-4.8 6.2-2.100Z" />
  </>
)
const auto = (
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m8.5 16 3.5-8.5 3.5 8.500M9.7 13.200h4.6" />
  </>
)

/** Icons of an appliance's choices, by choice name. */
export const applianceIcons: Readonly<Record<string, ReactNode>> = {
  cooling: (
    <Icon>
      <path d="M12 3v18M4.2 7.500l15.6 9M19.8 7.500l-15.6 9M9.5 4.5 12 7l2.5-2.500M9.5 19.5 12 17l2.5 2.5" />
    </Icon>
  ),
  heat: (
    <Icon>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.400M18.4 5.6 17 7M7 17l-1.4 1.4" />
    </Icon>
  ),
  dehumidify: <Icon>{dropIcon}</Icon>,
  fan: <Icon>{fan}</Icon>,
  auto: <Icon>{auto}</Icon>,
  dehumidifyAuto: <Icon>{auto}</Icon>,
  breathAuto: <Icon>{auto}</Icon>,
  dehumidifySet: (
    <Icon>
      {dropIcon}
      <path d="M9.5 14h5M12 11.500v5" />
    </Icon>
  ),
  dehumidifyContinuous: (
    <Icon>
      <path d="M12 12c-2-2.7-3.6-4-5.5-4a4 4 0 0 0 0 8c1.9 0 3.5-1.3 5.5-4Zm0 0c2-2.7 3.6-4 5.5-4a4 4 0 0 1 0 8c-1.9 0-3.5-1.3-5.5-4Z" />
    </Icon>
  ),
  clothesDrying: (
    <Icon>
      <path d="m8.5 4-5 3 2 4 2-1v10h9V10l2 1 2-4-5-3c-.5 3-6.5 3-7 0Z" />
    </Icon>
  ),
  airClean: (
    <Icon>
      <path d="M5 19c0-9 5-14 14-14 0 9-5 14-14 14Zm0 0 8-8" />
    </Icon>
  ),
  mildewProof: (
    <Icon>
      <path d="M12 3 5 6v5c0 5 3 8.5 7 10 4-1.5 7-5 7-10V6l-7-3Zm-3 9 2.2 2.200L15 10" />
    </Icon>
  ),
  comfort: (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8.5 14c1.8 2.6 5.2 2.6 7 0M9 9.500h.01M15 9.500h.01" />
    </Icon>
  ),
  lowHumidityDrying: (
    <Icon>
      {dropIcon}
      <path d="M12 10.500v6m-2.2-2.200L12 16.500l2.2-2.2" />
    </Icon>
  ),
  heatExchange: (
    <Icon>
      <path d="M4 9h14l-3.5-4M20 15H6l3.5 4" />
    </Icon>
  ),
  breathNormal: (
    <Icon>
      <path d="M3 9h11a3 3 0 1 0-3-3M3 13h15a3 3 0 1 1-3 3M3 17h7a2 2 0 1 1-2 2" />
    </Icon>
  ),
}
