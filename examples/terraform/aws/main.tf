# Machines on AWS from an answer to `clouds=aws&format=tfvars`.

terraform {
  required_version = ">= 1.4"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "region" {
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

variable "disk_iops" {
  type    = number
  default = null
}

variable "disk_throughput_mib_s" {
  type    = number
  default = null
}

variable "ami" {
  description = "Image that the machines start from."
  type        = string
}

provider "aws" {
  region = var.region
}

resource "aws_instance" "worker" {
  count         = var.node_count
  ami           = var.ami
  instance_type = var.machine_type

  dynamic "instance_market_options" {
    for_each = var.purchase == "spot" ? [1] : []
    content {
      market_type = "spot"
    }
  }

  dynamic "ebs_block_device" {
    for_each = var.disk_type == "nvme" ? [] : [1]
    content {
      device_name = "/dev/sdf"
      volume_type = var.disk_product
      volume_size = ceil(var.disk_size_gib)
      # Only gp3 sells operations and throughput separately from size.
      iops       = var.disk_product == "gp3" && var.disk_iops != null ? ceil(var.disk_iops) : null
      throughput = var.disk_product == "gp3" && var.disk_throughput_mib_s != null ? ceil(var.disk_throughput_mib_s) : null
    }
  }
}
