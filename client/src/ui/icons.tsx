import type { SVGProps } from 'react';

type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & { size?: number };

function icon(path: string) {
  return function Icon({ size = 22, ...rest }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 22 22"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.4}
        strokeLinecap="square"
        strokeLinejoin="miter"
        aria-hidden="true"
        focusable="false"
        {...rest}
      >
        <path d={path} />
      </svg>
    );
  };
}

export const MenuIcon = icon('M3 8h16M3 14h16');
export const CrossIcon = icon('M5 5l12 12M17 5L5 17');
export const SearchIcon = icon('M9.5 15.5a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM14 14l5 5');
export const ZoomIcon = icon('M9.5 15.5a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM14 14l5 5M7 9.5h5M9.5 7v5');
export const PersonIcon = icon('M11 10a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2ZM4 19.2c0-3.9 3-6.4 7-6.4s7 2.5 7 6.4');
export const AdminIcon = icon(
  'M9 10a3.6 3.6 0 1 0 0-7.2A3.6 3.6 0 0 0 9 10ZM2 19.2c0-3.7 2.6-6.2 6.4-6.4M16.2 11.4l4 1.4v3c0 2.2-1.6 3.7-4 4.6-2.4-.9-4-2.4-4-4.6v-3Z',
);
export const BagIcon = icon('M4.2 7.4h13.6l1 11.8H3.2ZM7.6 9.8V6.4c0-2 1.4-3.4 3.4-3.4s3.4 1.4 3.4 3.4v3.4');
export const HeartIcon = icon(
  'M11 18.6 4 11.4c-1.7-1.8-1.7-4.5 0-6.1 1.7-1.6 4.2-1.5 5.8.2L11 6.8l1.2-1.3c1.6-1.7 4.1-1.8 5.8-.2 1.7 1.6 1.7 4.3 0 6.1Z',
);
export const ArrowRightIcon = icon('M3 11h15M13 6l5 5-5 5');
export const ChevronLeftIcon = icon('M13.5 4.5 7 11l6.5 6.5');
export const ChevronRightIcon = icon('M8.5 4.5 15 11l-6.5 6.5');
export const ChevronDownIcon = icon('M4.5 8.5 11 15l6.5-6.5');
export const ChevronUpIcon = icon('M4.5 13.5 11 7l6.5 6.5');
export const MinusIcon = icon('M4.5 11h13');
export const PlusIcon = icon('M4.5 11h13M11 4.5v13');
export const CheckIcon = icon('M4 11.5l5 5 9.5-11');
export const AlertIcon = icon('M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM11 7v5M11 14.8v.2');
export const GridIcon = icon('M3.5 3.5h6v6h-6ZM12.5 3.5h6v6h-6ZM3.5 12.5h6v6h-6ZM12.5 12.5h6v6h-6Z');
export const ListIcon = icon('M3.5 4h5v5h-5ZM3.5 13h5v5h-5ZM12.5 6.5h6.5M12.5 15.5h6.5');
export const FilterIcon = icon('M2.5 6h17M5.5 11h11M8.5 16h5');
export const PauseIcon = icon('M8 5v12M14 5v12');
export const PlayIcon = icon('M7 4.5v13l10.5-6.5Z');
export const ReturnIcon = icon('M8 5 4 9l4 4M4.5 9H14a4.5 4.5 0 0 1 0 9H8');
export const TruckIcon = icon(
  'M2 5h11v10.5H2ZM13 8.5h4l3 3.5v3.5h-7M6 18.2a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM16 18.2a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
);
export const UploadIcon = icon('M11 15V4M6.5 8.5 11 4l4.5 4.5M3.5 15v3.5h15V15');
export const GripIcon = icon('M8 4v.5M8 11v.5M8 18v.5M14 4v.5M14 11v.5M14 18v.5');
