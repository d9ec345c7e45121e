// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests that hand data to a device past write(). The data lies behind pointers of each request's own.
 * So such a request of a program with labelled data is refused, whatever it carries.
 */
#include <asm/ioctls.h>
#include <linux/bsg.h>
#include <linux/cdrom.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hidraw.h>
#include <linux/mmc/ioctl.h>
#include <linux/nvme_ioctl.h>
#include <linux/uaccess.h>
#include <linux/usb/ch9.h>
#include <linux/usbdevice_fs.h>
#include <scsi/scsi_ioctl.h>
#include <scsi/sg.h>

#include "call/entry.h"
#include "engine/device.h"

/* In all of these a request that cannot be read fails by itself. */
static bool scsi_writes(const void __user *argument)
{
	struct sg_io_hdr header;
	struct sg_io_v4 newer;

	if (!copy_from_user(&newer, argument, sizeof(newer)) && newer.guard == 'Q')
		return newer.dout_xfer_len;
	return !copy_from_user(&header, argument, sizeof(header)) && header.dxfer_direction != SG_DXFER_NONE &&
	       header.dxfer_direction != SG_DXFER_FROM_DEV;
}

static bool control_writes(u8 type, u16 length)
{
	return !(type & USB_DIR_IN) && length;
}

/* A request that begins with the packet of a control transfer has its direction there. */
static bool urb_writes(const struct usbdevfs_urb *urb)
{
	struct usb_ctrlrequest setup;

	if (urb->type != USBDEVFS_URB_TYPE_CONTROL)
		return !(urb->endpoint & USB_DIR_IN) && urb->buffer_length;
	return !copy_from_user(&setup, urb->buffer, sizeof(setup)) &&
	       control_writes(setup.bRequestType, le16_to_cpu(setup.wLength));
}

static bool usb_writes(unsigned int request, const void __user *argument)
{
	struct usbdevfs_ctrltransfer control;
	struct usbdevfs_bulktransfer bulk;
	struct usbdevfs_urb urb;

	switch (request) {
	case USBDEVFS_CONTROL:
		return !copy_from_user(&control, argument, sizeof(control)) &&
		       control_writes(control.bRequestType, control.wLength);
	case USBDEVFS_BULK:
		return !copy_from_user(&bulk, argument, sizeof(bulk)) && !(bulk.ep & USB_DIR_IN) && bulk.len;
	default:
		return !copy_from_user(&urb, argument, sizeof(urb)) && urb_writes(&urb);
	}
}

/* Some numbers mean other things for files and sockets. */
static bool is_for_device(unsigned int fd)
{
	struct file *file = fget(fd);
	bool device = file && (S_ISCHR(file_inode(file)->i_mode) || S_ISBLK(file_inode(file)->i_mode));

	if (file)
		fput(file);
	return device;
}

/* These carry a report of a keyboard, a token or the like. The length is part of the request. */
static bool is_report(unsigned int request)
{
	request &= ~(_IOC_SIZEMASK << _IOC_SIZESHIFT);
	return request == HIDIOCSFEATURE(0) || request == HIDIOCSINPUT(0) || request == HIDIOCSOUTPUT(0);
}

static bool disc_writes(const void __user *argument)
{
	struct cdrom_generic_command command;

	return !copy_from_user(&command, argument, sizeof(command)) && command.data_direction == CGC_DATA_WRITE;
}

static bool hands_over(unsigned int request, const void __user *argument)
{
	switch (request) {
	case SG_IO:
		return scsi_writes(argument);
	case CDROM_SEND_PACKET:
		return disc_writes(argument);
	case USBDEVFS_CONTROL:
	case USBDEVFS_BULK:
	case USBDEVFS_SUBMITURB:
		return usb_writes(request, argument);
	case SCSI_IOCTL_SEND_COMMAND:
	case MMC_IOC_CMD:
	case MMC_IOC_MULTI_CMD:
	case NVME_IOCTL_SUBMIT_IO:
	case NVME_IOCTL_ADMIN_CMD:
	case NVME_IOCTL_IO_CMD:
	case NVME_IOCTL_ADMIN64_CMD:
	case NVME_IOCTL_IO64_CMD:
	case TIOCSTI:
		return true;
	default:
		return is_report(request);
	}
}

bool tacet_device_gets_data(const struct tacet_entry *entry)
{
	return hands_over(entry->args[1], (const void __user *)entry->args[2]) && is_for_device(entry->args[0]);
}
