# Machines on Google Cloud from an answer to `clouds=gcp&format=tfvars`.

terraform {
  required_version = ">= 1.4"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 6.0"
    }
  }
}

variable "region" {
  type = string
}

variable "instance_type" {
  type = string
}

variable "machine_type" {
  type = string
}

variable "node_count" {
  type = number
}

variable "purchase" {
  type = string
}

variable "disk_type" {
  type = string
}

variable "disk_product" {
  type    = string
  default = null
}

variable "disk_size_gib" {
  type = number
}

variable "zone" {
  description = "Zone of that region that offers the machine."
  type        = string
}

variable "image" {
  description = "Image that the machines start from."
  type        = string
}

locals {
  # n1-standard-8+nvidia-tesla-v100x2: the attached accelerator, and its number.
  attached = try(regex("\\+(.+)x([0-9]+)$", var.instance_type), null)
}

provider "google" {
  region = var.region
}

resource "google_compute_instance" "worker" {
  count        = var.node_count
  name         = "worker-${count.index}"
  zone         = var.zone
  machine_type = var.machine_type

  boot_disk {
    initialize_params {
      image = var.image
      size  = var.disk_type == "nvme" ? null : ceil(var.disk_size_gib)
      type  = var.disk_type == "nvme" ? null : var.disk_product
    }
  }

  dynamic "guest_accelerator" {
    for_each = local.attached == null ? [] : [local.attached]
    content {
      type  = guest_accelerator.value[0]
      count = tonumber(guest_accelerator.value[1])
    }
  }

  scheduling {
    provisioning_model = var.purchase == "spot" ? "SPOT" : "STANDARD"
    preemptible        = var.purchase == "spot"
    automatic_restart  = var.purchase != "spot"
    # A machine with an accelerator cannot be migrated while it runs.
    on_host_maintenance = "TERMINATE"
  }

  network_interface {
    network = "default"
  }
}
