import { theme, type ThemeConfig } from 'antd'
import { colors, fontFamily, shape, type, type Mode } from './theme.ts'

/** Read once: a later change would make Ant Design render the whole tree again. */
const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Ant Design's tokens of a mode, from the shared table of colours.
 *
 * phone  the screen is as narrow as a phone: controls are as high as a touch target
 */
export function antdTheme(mode: Mode, phone: boolean): ThemeConfig {
  const c = colors[mode]
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: c.accent,
      colorPrimaryHover: c.accentHover,
      colorPrimaryActive: c.accentHover,
      colorPrimaryText: c.accentText,
      colorLink: c.accentText,
      colorLinkHover: c.accentText,
      colorInfo: c.accent,
      colorSuccess: c.good,
      colorWarning: c.warning,
      colorError: c.alarm,
      colorErrorText: c.alarm,
      // The backgrounds that Ant Design derives from dark accents look muddy; these replace them.
      colorInfoBg: c.accentSoft,
      colorInfoBorder: c.line,
      colorSuccessBg: c.goodSoft,
      colorSuccessBorder: c.line,
      colorWarningBg: c.warningSoft,
      colorWarningBorder: c.line,
      colorErrorBg: c.alarmSoft,
      colorErrorBorder: c.line,
      colorText: c.text,
      colorTextSecondary: c.muted,
      colorTextTertiary: c.faint,
      colorTextDescription: c.muted,
      colorTextPlaceholder: c.faint,
      colorTextLightSolid: c.onAccent,
      colorBgLayout: c.background,
      colorBgContainer: c.surface,
      colorBgElevated: c.raised,
      colorBorder: c.lineStrong,
      colorBorderSecondary: c.line,
      colorSplit: c.line,
      fontSize: type.text[0],
      lineHeight: type.text[1] / type.text[0],
      fontSizeHeading1: type.page[0],
      fontSizeHeading2: type.card[0],
      borderRadius: shape.radius,
      borderRadiusLG: shape.card,
      paddingLG: 16,
      controlHeight: phone ? shape.controlPhone : shape.control,
      ...(phone && { controlHeightLG: shape.controlPhone }),
      fontFamily,
      // Shortened motion still has intermediate frames, in which a dialog is not yet at its final position.
      motion: !prefersReducedMotion,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
    },
    components: {
      Segmented: {
        trackBg: c.control,
        // In dark mode the surface is darker than the track, so that the unselected options would stand out.
        ...(mode === 'dark'
          ? { itemSelectedBg: c.accentSoft, itemSelectedColor: c.accentText }
          : { itemSelectedBg: c.surface }),
        // The padding of the track would make the touch targets too small.
        ...(phone && { trackPadding: 0 }),
      },
      // The text of the chosen button; the accent itself is too dark for text in dark mode.
      Radio: { colorPrimary: c.accentText, buttonSolidCheckedBg: c.accent },
      Tabs: { itemSelectedColor: c.accentText, itemHoverColor: c.accentText, inkBarColor: c.accentText },
      Table: {
        cellFontSize: type.table[0],
        cellPaddingBlock: 12,
        cellPaddingInline: 12,
        rowSelectedBg: c.accentSoft,
        rowSelectedHoverBg: c.accentSoft,
      },
      Slider: {
        railBg: c.line,
        railHoverBg: c.line,
        trackBg: c.on,
        trackHoverBg: c.on,
        handleColor: c.on,
        handleActiveColor: c.on,
      },
      Card: { bodyPadding: phone ? 12 : 16, headerPadding: phone ? 12 : 16, headerFontSize: type.card[0] },
      Modal: { borderRadiusLG: shape.dialog },
      Button: {
        // A background instead of a border distinguishes buttons from input fields.
        defaultBg: c.control,
        borderColorDisabled: 'transparent',
        defaultShadow: 'none',
        primaryShadow: 'none',
        dangerShadow: 'none',
        defaultBorderColor: 'transparent',
        defaultHoverBg: c.line,
        defaultActiveBg: c.line,
        // Ant Design writes white text on colorError, which has too little contrast in dark mode.
        dangerColor: mode === 'dark' ? colors.dark.background : colors.light.onAccent,
        // Hovered text must be readable too.
        defaultHoverColor: c.accentText,
        defaultActiveColor: c.accentText,
        defaultHoverBorderColor: 'transparent',
        defaultActiveBorderColor: 'transparent',
      },
    },
  }
}
